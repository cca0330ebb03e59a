import type { SessionId, UserId } from '../ids.ts';
import type { Clock } from '../time.ts';
import type { Action, NotDone, Operators } from './ports.ts';

interface OperatorDeps {
	readonly operators: Operators;
	readonly clock: Clock;
}

type Target = Omit<Action, 'now'>;

/** What operators do to the accounts of others, by page and by command. */
interface ManageAccounts {
	block(target: Target): Promise<readonly SessionId[] | NotDone>;
	unblock(target: Target): Promise<UserId | NotDone>;
}

const makeManageAccounts = ({ operators, clock }: OperatorDeps): ManageAccounts => {
	const at = (target: Target): Action => ({ ...target, now: clock.now() });
	return {
		block: (target) => operators.block(at(target)),
		unblock: (target) => operators.unblock(at(target))
	};
};

export const operators = {
	manageAccounts: makeManageAccounts
};
