import { TextInput } from "@mantine/core";
import { daysProblem, type ChosenDays } from "#lib/chosen-days.ts";
import "./day-fields.css";

export interface DayFieldsProps {
  days: ChosenDays;
  onDays: (part: Partial<ChosenDays>) => void;
  isLabelShown?: boolean;
}

/** From one day until another one. */
export function DayFields({ days, onDays, isLabelShown = false }: DayFieldsProps) {
  const day = (label: string, name: "from" | "to", error?: string) => (
    <TextInput
      type="date"
      {...{ [isLabelShown ? "label" : "aria-label"]: label }}
      value={days[name]}
      error={error}
      onChange={({ currentTarget }) => onDays({ [name]: currentTarget.value })}
    />
  );
  return (
    <>
      {day("From", "from")}
      {day("Until", "to", daysProblem(days))}
    </>
  );
}
