// Notifications, which phones allow only from here: pressing one brings the panel to the front, at its conversation.

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.session ?? ""));
});

async function show(session) {
  const [open] = await clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!open) return clients.openWindow(`/panel/inbox/waiting/${encodeURIComponent(session)}`);
  open.postMessage({ open: session });
  return open.focus();
}
