import { makeCancelEmailChange } from './cancel-email-change.ts';
import { makeChangeEmail } from './change-email.ts';
import { makeConfirmEmailChange } from './confirm-email-change.ts';
import { makeReadChangeLink, makeReadEmailChange } from './read-email-change.ts';
import { makeReadUndo, makeUndoEmailChange } from './undo-email-change.ts';
import { makeRequestEmailChange } from './request-email-change.ts';

export const emailChange = {
	requestEmailChange: makeRequestEmailChange,
	readEmailChange: makeReadEmailChange,
	readChangeLink: makeReadChangeLink,
	confirmEmailChange: makeConfirmEmailChange,
	changeEmail: makeChangeEmail,
	cancelEmailChange: makeCancelEmailChange,
	readUndo: makeReadUndo,
	undoEmailChange: makeUndoEmailChange
};
