"""The names of the standard intents, which `like:` takes: what customers ask of any business.

They are the labels of the corpus (`corpus/standard_intents.tsv` says what each means); a test holds the two together.
"""

_NAMES = """
    account_balance already_paid app_crash ask_appointment_availability ask_availability
    ask_baggage ask_cash_on_delivery ask_catalogue ask_date ask_discount ask_documents_to_bring
    ask_effectiveness ask_help ask_hours ask_human ask_if_bot ask_ingredients ask_installments
    ask_insurance_accepted ask_invoice ask_location ask_menu ask_minimum_order ask_next_steps
    ask_online_service ask_parking ask_payment_methods ask_pets ask_pickup ask_preparation
    ask_price ask_product_details ask_promotions ask_recommendation ask_refund ask_requirements
    ask_results ask_services ask_shipping_carrier ask_shipping_cost ask_shipping_coverage
    ask_shipping_time ask_side_effects ask_sizes ask_specialist ask_time ask_transfer_details
    ask_travel_documents ask_trust ask_usage ask_variants ask_warranty ask_weather ask_wholesale
    ask_why_data bill_question book_appointment book_room book_table book_trip calculate
    cancel_appointment cancel_booking cancel_order cancel_subscription cannot_pay
    card_lost_block change_booking change_delivery_address check_in checkout complain
    confirm_appointment convert_currency convert_units custom_order damaged_item debt_amount
    delete_account_data device_setup double_charge due_date enrol exchange_product
    extension_request general_info gift_wrap give_praise job_application join_waitlist
    late_delivery loan_request login_problem loyalty_points medical_urgency missing_item
    modify_order not_received order_food order_status password_reset payment_failed payment_plan
    plan_downgrade plan_upgrade postpone prescription_refill refund_status repeat_order
    request_quote request_visit reschedule_appointment reschedule_delivery reserve_item
    return_product running_late search_trip send_payment_proof service_outage set_reminder
    slow_service stop_contacting supplier_offer technician_visit ticket_status trip_status
    unknown_charge update_contact_info use_coupon verification_code view_cart want_to_buy
    where_to_pay wrong_item wrong_person
"""
STANDARD_INTENTS = frozenset(_NAMES.split())
