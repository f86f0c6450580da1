import { createContext, use, type ReactNode } from "react";

interface OldValues {
  /** Its kind and number, such as `node/10604`. */
  object: string;
  values: Readonly<Record<string, unknown>>;
}

export const putBackText = "What was there before is entered. Save puts it back.";

const PutBackContext = createContext<OldValues | undefined>(undefined);

/** Around a dialog that is opened to put old values of an object back: its form begins with them as edits. */
export function PutBack({ object, values, children }: OldValues & { children: ReactNode }) {
  return <PutBackContext value={{ object, values }}>{children}</PutBackContext>;
}

/** The old values of this object that someone wants back, by the names of the wire. */
export function usePutBack(object: string): Readonly<Record<string, unknown>> | undefined {
  const old = use(PutBackContext);
  return old?.object === object ? old.values : undefined;
}
