import { createContext, use } from "react";

/** Within the rows of a table that has keys of its own for what is in them -1. */
export const RowTab = createContext<0 | -1>(0);

/** The `tabIndex` of a box, a link or a button in a row. */
export const useRowTab = () => use(RowTab);
