/** The history of an object is read in the order of time, a page at a time. */
export const statements = [
  `drop index activity_object`,
  `create index activity_object on activity (object, ts desc, id desc) where object <> ''`,
];
