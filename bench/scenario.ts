import type { SmtpSink } from '../tests/support/mail/smtp-sink.ts';
import type { LoadRequest } from './load.ts';
import type { Subject, SubjectId } from './subjects.ts';

/** The product and the peer. */
export const EVERYBODY: readonly SubjectId[] = ['sqlite', 'postgres', 'peer'];

export interface Scenario {
	/** The name for `--only`. */
	readonly id: string;
	readonly title: string;
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
