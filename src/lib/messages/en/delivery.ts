import { common } from './every-page.ts';

/** Words that several emails share. They contain nothing that a person typed, such as a name. */
export const mail = {
	/** With no-break spaces: on a phone, lines are short. */
	moment: (at: Date): string => common.moment(at, '\u00a0UTC').replace(/^(\d+) /, '$1\u00a0'),
	/** At the foot. The support address follows. */
	help: 'Questions? Contact us:',
	/** Before the URL of a button. */
	fallback: 'If the button doesn’t work:',
	time: (minutes: number): string =>
		minutes === 1 ? 'one minute' : minutes === 60 ? 'one hour' : `${minutes} minutes`,
	/** When and from which device a code or a link was requested. */
	requested: (at: string, source: string): string => `Requested on ${at} from ${source}.`,
	/** The code comes first, because lists and locked screens cut the end of a subject. */
	codeInSubject: (code: string, subject: string): string => `${code} · ${subject}`,
	codes: {
		lives: (time: string): string => `Valid for ${time}, works once.`,
		never: 'Never tell anyone this code.'
	},
	/** Where a request came from: the device and its IP address. */
	source: (device: string, address: string): string => `${device}, ${address}`
};
