import type { Handlers } from "#http/endpoints.ts";
import type { FreePlaces } from "./free-places.service.ts";

export function freePlacesHandlers(freePlaces: FreePlaces) {
  return {
    getFreePlaces: ({ query }) => freePlaces.find(query.text),
    takeFreePlace: ({ params, body }, { caller }) => freePlaces.place(caller, params.serial, body),
  } satisfies Partial<Handlers>;
}
