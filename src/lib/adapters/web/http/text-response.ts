import { FastResponse } from 'srvx/node';

/**
 * A response that keeps its text as a string. The server can then write the string directly. A
 * stream would take longer than all other work for a short response, so the parent class creates
 * one only when the body is read.
 */
export class TextResponse extends FastResponse {
	readonly content: string;

	constructor(content: string, init: ResponseInit) {
		super(content, init);
		this.content = content;
	}
}
