import { afterAll, afterEach, expect } from "vitest";
import { takeBrokenAnswers } from "./check-answers.ts";

// For every test file of the server: a test fails by an answer that breaks its contract, whatever the test itself looks at.
const expectKeptContract = () => expect(takeBrokenAnswers()).toEqual([]);
afterEach(expectKeptContract);
afterAll(expectKeptContract);
