import * as z from "zod/mini";

/**
 * Fields of an object that the server alone writes. They may be in a body, since the console of the texts sends the whole object that it read;
 * the server refuses another value than the object has.
 */
export const ownFields = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.partial(z.object(shape)).shape;

/** A list that belongs to the object and has calls of its own: what a body says of it counts for nothing. */
export const listWithOwnCalls = (name: string) =>
  z.optional(z.array(z.unknown(), `${name} is a list`).check(z.maxLength(10_000, `${name} has at most 10000 entries`)));

/** A field that is in the texts' entity, but may only be empty in this body. */
export const alwaysEmpty = (sentence: string) => z.optional(z.nullable(z.literal("", sentence)));

/** In the body of a new object: there is no such value yet. */
export const noneYet = (name: string) => alwaysEmpty(`${name} is given by the server`);
