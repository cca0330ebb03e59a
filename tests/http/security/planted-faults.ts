// Loaded into a built server with --import: certain words in a request make code throw that
// otherwise never does. The product has no such hook.
const PLANTED = 'planted-fault';
const words = `${PLANTED} at /srv/postern: select * from "user"`;

const { normalize } = String.prototype;
String.prototype.normalize = function (this: string, form?: string) {
	if (this.includes(`${PLANTED}-late`)) {
		// Work after the answer, with both ways in which it can fail.
		void Promise.reject(new Error(words));
		setTimeout(() => {
			throw new Error(words);
		});
	} else if (this.includes(PLANTED)) throw new TypeError(words);
	return normalize.call(this, form);
} as typeof normalize;
