"""The names of the standard intents, which `like:` takes: what customers ask of any business.

They are the labels of the corpus (`corpus/standard_intents.tsv` says what each means); a test holds the two together.
"""

_NAMES = """
    about_us accessibility account_balance activate_line add_person age_requirement
    airport_transfer already_paid alterations app_crash ask_appointment_availability
    ask_availability ask_baggage ask_callback ask_cash_on_delivery ask_catalogue
    ask_compatibility ask_credit_tab ask_date ask_discount ask_documents_to_bring
    ask_effectiveness ask_fees ask_freshness ask_generic ask_grades_progress ask_guarantee
    ask_help ask_hours ask_human ask_if_bot ask_ingredients ask_installation ask_installments
    ask_insurance_accepted ask_integration ask_invoice ask_lead_time ask_location ask_menu
    ask_minimum_order ask_named_person ask_next_steps ask_online_service ask_origin
    ask_other_branch ask_parking ask_payment_methods ask_pets ask_photos ask_pickup ask_portion
    ask_preparation ask_prescription_needed ask_price ask_procedure ask_product_details
    ask_promotions ask_property_features ask_quantity_needed ask_recommendation ask_refund
    ask_rent_price ask_requirements ask_restock ask_results ask_services ask_shipping_carrier
    ask_shipping_cost ask_shipping_coverage ask_shipping_time ask_side_effects ask_sizes
    ask_spare_part ask_specialist ask_substitute ask_symptom_advice ask_time
    ask_transfer_details ask_travel_documents ask_trust ask_usage ask_variants ask_warranty
    ask_weather ask_what_needed ask_wholesale ask_why_data ask_wifi_bathroom beauty_advice
    become_distributor bill_question book_appointment book_room book_table book_trip
    breakfast_included calculate cancel_appointment cancel_booking cancel_order
    cancel_subscription cannot_pay car_problem car_service card_declined card_limit
    card_lost_block card_request change_booking change_delivery_address change_payment check_in
    checkout choose_professional class_schedule complain confirm_appointment convert_currency
    convert_units course_certificate course_content custom_order customs_hold cut_to_size
    damaged_item day_pass debt_amount delete_account_data delivery_to_other design_help
    device_repair device_setup donate double_charge dress_rules due_date end_contract enrol
    event_capacity event_package exchange_product excursion_info extension_request file_format
    freeze_membership gas_leak general_info gift_voucher gift_wrap give_praise glasses
    guest_count_change hotel_amenities job_application join_waitlist kids_welcome late_checkout
    late_delivery legal_question list_property loan_request login_problem lost_item
    loyalty_points medical_certificate medical_urgency meter_reading missing_item modify_order
    need_change new_connection not_received notify_absence order_food order_status
    outdoor_seating paperwork_status parcel_pickup password_reset pay_rent payment_failed
    payment_plan people_vaccines pet_boarding pet_grooming pet_neutering pet_sick pet_vaccines
    plan_downgrade plan_upgrade policy_coverage port_number postpone prescription_refill
    print_job private_event recharge refund_status renew_contract rent_equipment repair_ready
    repeat_order report_accident report_repair report_street_problem request_quote request_ride
    request_visit reschedule_appointment reschedule_delivery reserve_item return_containers
    return_product room_problem running_late search_property search_trip send_parcel
    send_payment_proof service_outage set_reminder showtimes slow_service split_payment
    stain_care statement_request stop_contacting supplier_offer tax_help technical_sheet
    technician_visit ticket_status tooth_pain tow_request trip_status try_first unknown_charge
    update_contact_info use_coupon verification_code view_cart want_to_buy weather_policy
    where_is_driver where_to_pay wrong_item wrong_person
"""
STANDARD_INTENTS = frozenset(_NAMES.split())
