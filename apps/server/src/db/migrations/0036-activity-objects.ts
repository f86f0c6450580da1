/** Every object is named with its kind, so that its whole history is found by one name. */
export const statements = [
  `update activity set object = 'node/' || object
   where action in ('RESET_METERING', 'PATCH_NODE_CONFIG', 'PATCH_TASK', 'DOWNLOAD_FILES', 'REQUEST_HARMONICS', 'PATCH_NODE', 'POST_NODE')
     and object ~ '^\\d{5}$'`,
  `update activity a set object = 'user/' || u.id from app_user u
   where a.object = u.username and a.action in ('POST_USER', 'PATCH_USER', 'DELETE_USER', 'PATCH_USER_PASSWORD', 'PATCH_OWN_PASSWORD',
     'POST_ACCOUNT_NOTIFICATION', 'POST_API_KEY', 'DELETE_API_KEY', 'POST_ACCESS_KEY', 'DELETE_ACCESS_KEY', 'ENROL_TWO_FACTOR',
     'REPLACE_RECOVERY_CODES', 'RESET_TWO_FACTOR')`,
];
