import type { AccountCreatedStep, AccountPurgedStep } from '../account-steps.ts';

/** Links the purchases that were made with the email address of a new account. */
export const adoptPurchases: AccountCreatedStep = {
	check: () => undefined,
	store: ({ purchases }, { user, email }) => {
		for (const bought of purchases.values()) {
			if (bought.email === email && bought.userId === null) {
				purchases.set(bought.id, { ...bought, userId: user.id });
			}
		}
	}
};

export const forgetPurchases: AccountPurgedStep = ({ purchases }, userId) => {
	for (const { id } of [...purchases.values()].filter((row) => row.userId === userId)) {
		purchases.delete(id);
	}
};
