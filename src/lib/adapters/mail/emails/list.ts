/*
 * Every email, by its kind. Types, renderer and console follow from this list.
 */
export { signInCode as sign_in_code } from './sign-in/sign-in-code.ts';
export { verificationCode as email_verification_code } from './sign-in/verification-code.ts';
export { welcome } from './sign-in/welcome.ts';
export { changeCode as email_change_code } from './email-change/change-code.ts';
export { emailChangeLink as email_change_link } from './email-change/change-link.ts';
export { changeNotice as email_change_notice } from './email-change/change-notice.ts';
export { changeUndone as email_change_undone } from './email-change/change-undone.ts';
export { reauthenticationCode as reauthentication_code } from './email-change/reauthentication-code.ts';
export { newDevice as new_device } from './devices/new-device.ts';
export { accountDeleted as account_deleted } from './account/account-deleted.ts';
export { mailCheck as mail_check } from './delivery/mail-check.ts';
