import { useMediaQuery } from "@mantine/hooks";

/** A phone, or a window as narrow: as the style sheets have it. */
export const useIsNarrow = () => useMediaQuery("(max-width: 47.99em)", undefined, { getInitialValueInEffect: false });
