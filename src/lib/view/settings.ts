/** What an action of the settings did. */
export type Done = 'name' | 'link' | 'cancelled' | 'session' | 'others' | 'agreed' | 'withdrawn';
