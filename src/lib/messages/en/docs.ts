/** Texts around the API reference. What it says about each call is in the OpenAPI document. */
export const docs = {
	title: 'API reference',
	contents: 'Contents',
	rules: 'For all calls',
	sharedErrors: 'Common errors',
	session: {
		required: 'Needs a session.',
		optional: 'Works with or without a session.',
		unused: 'Needs no session.'
	},
	request: 'Request',
	beside: (place: string): string => `, in the ${place}`,
	optional: ', optional',
	answer: (status: string, type?: string): string => `Response ${status}${type ? `: ${type}` : ''}`,
	errors: 'Errors',
	objects: 'Objects'
};
