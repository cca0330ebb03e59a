import { noReceipts, type CodeReceipts, type LaneMailers, type Mailer } from '#lib/domain/index.ts';
import type { MailConfig } from '#lib/config/mail.ts';
import { countCodes, type CountCodesDeps } from './count-codes.ts';
import { countedLanes, countedMailer } from './counted-mailers.ts';
import { mxHosts, systemMx, type MailHosts } from './mail-hosts.ts';

interface Mailers {
	readonly mailer: Mailer;
	readonly lanes: LaneMailers;
}

export interface Receipts extends Mailers {
	readonly codeReceipts: CodeReceipts;
	/** For shutdown: writes what is counted. */
	finish(): Promise<void>;
}

/**
 * Counts the codes that these mailers send. Where the console shows the codes, nothing is counted and
 * the DNS is not asked. `own` finds the mail hosts in another way, and then codes always count.
 */
export const openReceipts = (
	mail: MailConfig,
	deps: Omit<CountCodesDeps, 'mailHosts'>,
	mailers: Mailers,
	own?: MailHosts
): Receipts => {
	if (own === undefined && (mail.kind === 'console' || !mail.deliveryFigures)) {
		return { ...mailers, codeReceipts: noReceipts, finish: () => Promise.resolve() };
	}
	const mailHosts = own ?? mxHosts({ mx: systemMx, timing: deps.timing });
	const counter = countCodes({ ...deps, mailHosts });
	return {
		mailer: countedMailer(mailers.mailer, counter),
		lanes: countedLanes(mailers.lanes, counter),
		codeReceipts: counter,
		finish: () => counter.finish()
	};
};
