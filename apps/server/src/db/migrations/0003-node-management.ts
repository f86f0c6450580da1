// What people write of a node. What it reports itself (addresses, hardware) is not among it: nobody's edit is older for that.
const written = [
  "type, container, unassigned_customer, unassigned_facility, unassigned_location, data_point_interval_seconds, deployment_task_type",
  "nameplate_valid, new_deployment_status, current_deployment_status, new_deployment_status_updated_at, notify_on_connect",
  "notify_on_current_above_noise, disable_monitoring, monitor_data_point_alerts, monitor_daily_progress, monitor_missing_data",
  "pause_notifications, pause_connectivity_notifications, pause_connectivity_notifications_reason, pause_connectivity_notifications_url",
  "show_raw_power, events_report_scan, trending_report_scan, voltage_hat_report_scan, current_hat_report_scan, deployment_issue",
  "deployment_issue_details, active_va, active_vb, active_vc, active_ia, active_ib, active_ic, active_pa, active_pb, active_pc",
  "voltage_imbalance_threshold, voltage_thd_threshold, current_imbalance_threshold, current_thd_threshold, over_voltage_threshold",
  "short_term_over_current_threshold, short_term_over_current_averaging_period, long_term_over_current_threshold",
  "long_term_over_current_averaging_period, under_voltage_threshold, loss_of_phase_transient_threshold, stop_event_of_interest_threshold",
  "vi_minimum_voltage_threshold",
]
  .join(", ")
  .split(", ");
const rowOf = (row: "old" | "new") => `(${written.map((column) => `${row}.${column}`).join(", ")})`;

export const statements = [
  // How often the node was written: who edits sends it back, so that nobody overwrites what somebody else saved meanwhile.
  `alter table node add column revision integer not null default 1`,
  // Also when another part of the program writes it, as decommissioning does.
  `create function count_node_revision() returns trigger language plpgsql as $$
    begin if new.revision = old.revision then new.revision := old.revision + 1; end if; return new; end $$`,
  `create trigger count_node_revision before update on node for each row when (${rowOf("old")} is distinct from ${rowOf("new")})
    execute function count_node_revision()`,
  // Few nodes await a status: those that do are found at once.
  `create index node_awaiting on node (new_deployment_status_updated_at) where new_deployment_status <> current_deployment_status`,
];
