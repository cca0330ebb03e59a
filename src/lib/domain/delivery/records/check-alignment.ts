import type { DmarcRecord } from './dmarc-record.ts';
import { good, unchecked, warn, wrong, type Finding } from './finding.ts';

/** What DMARC compares with the domain of `EMAIL_FROM`. */
export interface Proofs {
	readonly domain: string;
	readonly organisationOf: (domain: string) => string;
	/** The domains with a usable DKIM key. */
	readonly signers: readonly string[];
	/** The domain of the return path if its SPF record is usable. */
	readonly returnPath: string | null;
	/** Whether a lookup failed or a selector is unknown, so that more could pass than is known. */
	readonly isUncertain: boolean;
}

/** An email passes DMARC if DKIM or SPF passes for a domain that is aligned with `EMAIL_FROM`. */
export const checkAlignment = (applies: DmarcRecord | null, proofs: Proofs): readonly Finding[] => {
	const { domain, organisationOf, signers, returnPath, isUncertain } = proofs;
	const isAligned = (other: string, isStrict: boolean): boolean =>
		isStrict ? other === domain : organisationOf(other) === organisationOf(domain);
	const isDkimStrict = applies?.isDkimStrict ?? false;
	const isSpfStrict = applies?.isSpfStrict ?? false;

	const signer = signers.find((one) => isAligned(one, isDkimStrict));
	const path = returnPath !== null && isAligned(returnPath, isSpfStrict) ? returnPath : null;
	const passed: Finding[] = [
		...(signer === undefined ? [] : [good(`DKIM: ${signer} (${mode(isDkimStrict)})`)]),
		...(path === null ? [] : [good(`SPF: ${path} (${mode(isSpfStrict)})`)])
	];
	const failed: string[] = [];
	const relaxed: Record<string, string> = {};
	if (signer === undefined && signers[0] !== undefined) {
		failed.push(describe('DKIM', 'adkim', signers[0], domain, isDkimStrict));
		if (isAligned(signers[0], false)) relaxed['adkim'] = 'r';
	}
	if (path === null && returnPath !== null) {
		failed.push(describe('SPF', 'aspf', returnPath, domain, isSpfStrict));
		if (isAligned(returnPath, false)) relaxed['aspf'] = 'r';
	}
	const set = Object.keys(relaxed).length === 0 ? null : (applies?.mended(relaxed) ?? null);
	if (passed.length > 0) return [...passed, ...failed.map((text) => warn(text, set))];
	if (failed.length > 0 && !isUncertain) return failed.map((text) => wrong(text, set));
	return isUncertain
		? [unchecked('whether DKIM or SPF passes for this domain is not known, see above')]
		: [wrong('neither DKIM nor SPF passes for this domain, so its email fails DMARC')];
};

const mode = (isStrict: boolean): string => (isStrict ? 'strict' : 'relaxed');

const describe = (
	proof: string,
	tag: string,
	other: string,
	domain: string,
	isStrict: boolean
): string =>
	isStrict
		? `${proof} passes for ${other}, but "${tag}=s" needs exactly ${domain}`
		: `${proof} passes for ${other}, which does not belong to the organisation of ${domain}`;
