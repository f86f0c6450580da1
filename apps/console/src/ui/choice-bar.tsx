import { Button, type ButtonProps } from "@mantine/core";
import "./choice-bar.css";

export interface ChoiceBarProps<Value extends string> {
  /** What is chosen, such as `When`. */
  label: string;
  isLabelShown?: boolean;
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChoose: (value: Value) => void;
  size?: ButtonProps["size"];
}

/** One of a few, each a button of its own. */
export function ChoiceBar<Value extends string>({ label, isLabelShown = false, choices, value, onChoose, size }: ChoiceBarProps<Value>) {
  return (
    <fieldset className="choice-bar">
      <legend className={isLabelShown ? "" : "visually-hidden"}>{label}</legend>
      {choices.map((choice) => (
        <Button
          key={choice.value}
          variant={choice.value === value ? "filled" : "default"}
          {...(size === undefined ? {} : { size })}
          aria-pressed={choice.value === value}
          onClick={() => onChoose(choice.value)}
        >
          {choice.label}
        </Button>
      ))}
    </fieldset>
  );
}
