import * as z from "zod/mini";

/** The name of a flag: a key of a location's map, so nothing that an object has by itself. */
export const faultLibraryFlagName = /^[a-z][A-Za-z0-9]{1,63}$/;

const oneLine = z.regex(/^[^\p{Cc}\p{Cs}]*$/u, "is one line of text");

/** CUS-14: one kind of alert, as it is set for a location that says nothing about it. */
export const FaultLibraryFlag = z.object({
  name: z.string().check(z.regex(faultLibraryFlagName, "A flag's name is a lowercase letter, then letters and digits")),
  display_name: z
    .string()
    .check(z.minLength(1, "A flag has a display_name"), z.maxLength(100, "A display_name has at most 100 characters"), oneLine),
  value: z.boolean("value is true or false"),
  notes: z.string().check(z.maxLength(300, "Notes have at most 300 characters"), oneLine),
  node_type: z.string().check(z.maxLength(60, "A node_type has at most 60 characters"), oneLine),
});
export type FaultLibraryFlag = z.infer<typeof FaultLibraryFlag>;

const flag = (name: string, display_name: string, node_type: string, value: boolean, notes = ""): FaultLibraryFlag => ({
  name,
  display_name,
  value,
  notes,
  node_type,
});

export const defaultFaultLibraryFlags: FaultLibraryFlag[] = [
  flag("voltageImbalance", "Voltage imbalance", "Node", true, "NEMA % above threshold"),
  flag("currentImbalance", "Current imbalance", "Node", true),
  flag("voltageThd", "Voltage THD", "Node", false),
  flag("currentThd", "Current THD", "Node", false, "Expect on VFDs"),
  flag("overVoltage", "Over-voltage", "all", true),
  flag("underVoltage", "Under-voltage", "all", true),
  flag("shortTermOverCurrent", "Short-term over-current", "Node", true),
  flag("longTermOverCurrent", "Long-term over-current", "Node", true),
  flag("lossOfPhase", "Loss of phase", "all", true),
  flag("lossOfPhaseTransient", "Loss-of-phase transient", "Node", true),
  flag("stopOfInterest", "Stop under load", "Node", true),
  flag("underload", "Underload", "Node", false, "Broken belt, dry pump"),
  flag("frequentStarts", "Too many starts per hour", "Node", false),
  flag("longStart", "Long acceleration", "Node", false, "Above start_seconds"),
  flag("rotorBar", "Rotor-bar signature", "Node", false, "Sidebands are between the harmonic orders that nodes send: not raised"),
  flag("voltageSag", "Voltage sag (IEEE 1159)", "all", true),
  flag(
    "groundFault",
    "Ground fault suspected",
    "Node",
    false,
    "Not on solidly grounded systems. Nodes send no residual current: not raised",
  ),
  flag("harmonicSignature", "Custom harmonic signature", "Node", false, "Uses the location's signatures"),
  flag("relayTrip", "Relay trip", "SEL, GERelay", true),
  flag("relayAlarm", "Relay alarm or self-test failure", "SEL, GERelay", true),
  flag("fieldLoss", "Field loss", "subNode/secondary", true, "DC, synchronous"),
  flag("phaseReversal", "Phase reversal", "all", true, "Nodes send no phase angles: not raised"),
];
