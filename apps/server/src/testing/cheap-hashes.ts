import { hashCheaply } from "#lib/passwords.ts";

// Tests sign in thousands of times.
hashCheaply();
