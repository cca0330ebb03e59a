/** What an action of the settings did. */
export type Done =
	'name' | 'link' | 'cancelled' | 'address' | 'session' | 'others' | 'agreed' | 'withdrawn';
