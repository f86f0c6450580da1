import type { Location, LocationNode } from "@busbar/contract/locations.ts";

/** A location's row with its nodes. */
export interface LocationRow {
  id: number;
  facility_id: number;
  name: string;
  asset_location_number: string;
  customer_x_ref_id: string;
  equipment_type: string;
  timezone: string;
  equipment_start: number;
  billing_start_date: string | null;
  billing_end_date: string | null;
  paid_thru_date: string | null;
  notify_missed_data: boolean;
  starter: string;
  load_application: string;
  voltage_tap_location: string;
  ct_location: string;
  channels: string | null;
  np_voltage: number | null;
  np_current: number | null;
  np_hp: number | null;
  np_rpm: number | null;
  np_poles: number | null;
  np_rotor_bars: number | null;
  np_service_factor: number | null;
  fault_library_alert_flags: Record<string, boolean>;
  harmonic_signatures: [name: string, frequencies: number[]][];
  revision: number;
  nodes: (LocationNode & { slot: 1 | 2 })[];
}

export function toLocation(row: LocationRow): Location {
  const serialAt = (slot: 1 | 2) => row.nodes.find((node) => node.slot === slot)?.serialNumber ?? null;
  return {
    id: row.id,
    name: row.name,
    assetLocationNumber: row.asset_location_number,
    customerXRefId: row.customer_x_ref_id,
    equipmentType: row.equipment_type,
    nodeSerialNumber: serialAt(1),
    secondaryNodeSerialNumber: serialAt(2),
    timezone: row.timezone,
    equipmentStartTimestamp: row.equipment_start,
    billingStartDate: row.billing_start_date,
    billingEndDate: row.billing_end_date,
    paidThruDate: row.paid_thru_date,
    notifyMissedData: row.notify_missed_data,
    starter: row.starter,
    loadApplication: row.load_application,
    voltageTapLocation: row.voltage_tap_location,
    ctLocation: row.ct_location,
    channels: row.channels,
    npVoltage: row.np_voltage,
    npCurrent: row.np_current,
    npHp: row.np_hp,
    npRpm: row.np_rpm,
    npPoles: row.np_poles,
    npRotorBars: row.np_rotor_bars,
    npServiceFactor: row.np_service_factor,
    faultLibraryAlertFlags: sortedFlags(row.fault_library_alert_flags),
    harmonicSignatures: row.harmonic_signatures.map(([name, frequencies]) => [name, frequencies.join(";")]),
    nodes: row.nodes.map(({ slot: _slot, ...node }) => node),
    revision: row.revision,
  };
}

/** Frequencies in Hz of the wire's text: `29.5;59`. */
export const readFrequencies = (text: string): number[] => text.split(";").map(Number);

/** In one order, whatever a request or the database made of it. */
export function sortedFlags(flags: Record<string, boolean>): Record<string, boolean> {
  return Object.fromEntries(Object.entries(flags).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
