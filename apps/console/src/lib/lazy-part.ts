import { createElement, lazy, type FunctionComponent, type ReactNode } from "react";

type PropsOf<Part> = Part extends (props: infer Props) => ReactNode ? Props : never;

/** Those of parts that could not be loaded. */
const beginAnew = new Set<() => void>();

/** What was shown in place of parts that could not be loaded is gone: the next time that they are drawn they are loaded again. */
export function retryFailedParts(): void {
  for (const begin of beginAnew) begin();
  beginAnew.clear();
}

/** A component of a module that is loaded when it is first drawn. React remembers a failure for ever; a network that was away is back some time. */
export function lazyPart<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  type Props = PropsOf<Module[Name]>;
  const begin = () =>
    lazy(async () => {
      try {
        return { default: (await load())[name] as FunctionComponent<Props> };
      } catch (error) {
        // Not yet: drawn again right after it failed, as React does, it would be loaded without end.
        beginAnew.add(() => (part = begin()));
        throw error;
      }
    });
  let part = begin();
  return (props: Props) => createElement(part as unknown as FunctionComponent<object>, props as object);
}
