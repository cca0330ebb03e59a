/** Texts of the pages around the documentation. The guides are in docs/guides. */
export const docs = {
	title: 'Documentation',
	lede: 'Sign people in with a code from their email, from an app, a script or another server.',
	nav: 'Documentation',
	contents: 'Contents',
	start: 'Start',
	guides: 'Guides',
	reference: 'API reference',
	pages: (count: number): string => `${count} pages`,
	otherGuides: 'Other guides',
	previous: 'Previous',
	next: 'Next',
	copy: 'Copy',
	copied: 'Copied',
	linkTo: (section: string): string => `Link to: ${section}`,
	search: {
		title: 'Search the documentation',
		field: 'Search the docs',
		submit: 'Search',
		lede: 'Search the guides and the API reference by words, paths, fields or error codes.',
		found: (query: string, count: number, shown: number): string =>
			`${count === 1 ? '1 result' : `${count} results`} for “${query}”.` +
			(shown < count ? ` These ${shown} match best.` : ''),
		none: (query: string): string =>
			`Nothing found for “${query}”. Try fewer or other words, a path such as /get-session, or an error code.`,
		error: 'Error',
		guide: (title: string): string => `Guide: ${title}`
	},
	version: (version: string): string => `Version ${version}.`,
	raw: 'The same as an OpenAPI document',
	tokenHint: 'In the examples, the shell variable `TOKEN` contains the token from a sign-in.',
	conventions: 'Conventions',
	conventionsLede:
		'What applies to all calls: formats, credentials, origins and the order of checks.',
	calls: (count: number): string => (count === 1 ? '1 call' : `${count} calls`),
	more: (group: string): string => `More calls: ${group}`,
	session: {
		required: 'Needs a session.',
		optional: 'Works with or without a session.',
		unused: 'Needs no session.'
	},
	params: 'Path',
	query: 'Query',
	body: 'Body',
	required: 'required',
	optional: 'optional',
	notAlways: 'not always present',
	answer: (status: string): string => `Response ${status}`,
	answerType: 'Type:',
	headers: 'Headers',
	optionalFields: (count: number): string => `${count} optional fields`,
	optionalHeaders: (count: number): string =>
		count === 1 ? '1 optional header' : `${count} optional headers`,
	example: 'Example response',
	errors: 'Errors',
	errorCodes: (count: number): string => `${count} error codes`,
	allErrors: 'All errors with their meaning',
	generalErrors: (count: number, more: boolean): string =>
		more
			? `${count} more errors that all calls of this kind can return`
			: `${count} errors that all calls of this kind can return`,
	errorsLede: 'All error codes with their status and meaning. Compare the code, never the message.',
	schemas: 'Schemas',
	fields: (count: number): string => (count === 1 ? '1 field' : `${count} fields`),
	schemasLede: 'The objects that several calls return, with their fields.'
};
