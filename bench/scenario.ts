import type { SmtpSink } from '../tests/support/mail/smtp-sink.ts';
import type { LoadRequest } from './load.ts';
import type { Subject, SubjectId } from './subjects.ts';

/** The product and the peer. */
export const EVERYBODY: readonly SubjectId[] = ['sqlite', 'postgres', 'peer'];

/** An empty route of the floor, and what its responses contain. */
export interface FloorRoute {
	readonly path: string;
	readonly marker: string;
}

export const EMPTY_ENDPOINT: FloorRoute = { path: '/empty', marker: '{"ok":true}' };
export const EMPTY_PAGE: FloorRoute = { path: '/page', marker: '</html>' };

export interface Scenario {
	/** The name for `--only`. */
	readonly id: string;
	readonly title: string;
	/** What the floor answers meanwhile. */
	readonly onFloor: FloorRoute;
	/** The subjects to measure besides the floor. */
	readonly subjects: readonly SubjectId[];
	readonly status: number;
	/** Whether a response has the right body. */
	readonly isRight: (body: string) => boolean;
	/** True if each request can be sent only once. A run then sends each of them once. */
	readonly counted: boolean;
	/** `some`: the requests send emails. `awaited`: each response has one, and all must arrive. */
	readonly mails: 'none' | 'some' | 'awaited';
	/** Creates the requests for each run. */
	readonly requests: (subject: Subject, sink: SmtpSink) => Promise<readonly LoadRequest[]>;
}
