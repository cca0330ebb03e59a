import type { SmtpSink } from '../tests/support/mail/smtp-sink.ts';
import type { LoadRequest } from './load.ts';
import type { Subject, SubjectId } from './subjects.ts';

/** Besides the floor. */
export const EVERYBODY: readonly SubjectId[] = ['sqlite', 'postgres', 'peer'];

export interface Scenario {
	/** As `--only` names it. */
	readonly id: string;
	readonly title: string;
	/** Who takes part besides the floor. */
	readonly subjects: readonly SubjectId[];
	readonly status: number;
	/** Whether a body is the right one. */
	readonly isRight: (body: string) => boolean;
	/** True where each request can be sent only once: then a run is as many as there are. */
	readonly counted: boolean;
	/** Whether it sends mails, and each answer is to have one. */
	readonly mails: 'none' | 'some' | 'awaited';
	/** Made anew for each run. */
	readonly requests: (subject: Subject, sink: SmtpSink) => Promise<readonly LoadRequest[]>;
}
