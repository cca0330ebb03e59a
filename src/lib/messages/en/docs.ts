/** Texts of the pages around the documentation. The guides are in src/lib/ui/docs. */
export const docs = {
	title: 'Documentation',
	nav: 'Documentation',
	contents: 'Contents',
	start: 'Start',
	guides: 'Guides',
	reference: 'API reference',
	otherGuides: 'Other guides',
	previous: 'Previous',
	next: 'Next',
	copy: 'Copy',
	copied: 'Copied',
	linkTo: (section: string): string => `Link to: ${section}`,
	baseUrl: 'This installation',
	step: (step: number): string => `curl, step ${step}`,
	version: (version: string): string => `Version ${version}.`,
	raw: 'The same as an OpenAPI document',
	tokenHint: 'In the examples, the shell variable TOKEN contains the token from a sign-in.',
	conventions: 'Conventions',
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
	curl: (call: string): string => `curl: ${call}`,
	answer: (status: string): string => `Response ${status}`,
	answerType: 'Type:',
	headers: 'Headers',
	example: (call: string): string => `Example response: ${call}`,
	errors: 'Errors',
	generalErrors: (count: number, more: boolean): string =>
		more
			? `${count} more errors that all calls of this kind can return`
			: `${count} errors that all calls of this kind can return`,
	errorsLede:
		'Compare the code, never the message. These are all error codes, with their status and meaning:',
	schemas: 'Schemas'
};
