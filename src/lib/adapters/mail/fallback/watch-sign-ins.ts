import type { SignIns } from '#lib/domain/sign-in/ports.ts';
import type { ResendMemory } from './resend-memory.ts';

/** Tells the memory which codes were used. */
export const watchSignIns = (signIns: SignIns, resends: ResendMemory): SignIns => ({
	redeem: async (redemption) => {
		const redeemed = await signIns.redeem(redemption);
		if (redeemed !== null) resends.forget(redemption.email);
		return redeemed;
	}
});
