import { lazy, type FunctionComponent, type ReactNode } from "react";

type PropsOf<Part> = Part extends (props: infer Props) => ReactNode ? Props : never;

/** A component of a module that is loaded when it is first drawn. */
export const lazyPart = <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] as FunctionComponent<PropsOf<Module[Name]>> }));
