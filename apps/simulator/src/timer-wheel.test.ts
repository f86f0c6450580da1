import { expect, test } from "vitest";
import { createTimerWheel } from "./timer-wheel.ts";
import { vi } from "vitest";
