import {
	makeBeginPurchase,
	makeClaimPurchase,
	makeReadPurchase,
	makeRecordPurchase
} from './claim-purchases.ts';

export const purchases = {
	beginPurchase: makeBeginPurchase,
	recordPurchase: makeRecordPurchase,
	readPurchase: makeReadPurchase,
	claimPurchase: makeClaimPurchase
};
