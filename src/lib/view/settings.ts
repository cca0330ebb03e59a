/** What an action of the settings can have done. */
export type Done = 'name' | 'link' | 'cancelled' | 'address' | 'session' | 'others' | 'agreed';
