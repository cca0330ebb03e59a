import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Problem } from './client.mjs';

const windows = process.platform === 'win32';

const configFolder = () => {
	const { APPDATA, XDG_CONFIG_HOME } = process.env;
	if (windows && APPDATA) return APPDATA;
	// The XDG standard says to ignore relative paths.
	if (XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME)) return XDG_CONFIG_HOME;
	return join(homedir(), '.config');
};

/** Stores the token for one server. */
export const tokenFile = (origin) => secretFile(encodeURIComponent(origin));

/**
 * The key by which one server recognises this installation. It is made once and stays when the user
 * signs out. It gives access to nothing.
 */
export const clientKey = async (origin) => {
	const file = secretFile(`${encodeURIComponent(origin)}.client`);
	const kept = await file.read();
	if (kept !== null) return kept;
	const made = randomBytes(32).toString('base64url');
	await file.write(made);
	return made;
};

/**
 * A file that only its owner can read. On Windows, file modes have no effect, but the access rules of
 * the user's profile protect the file.
 */
const secretFile = (name) => {
	const folder = join(configFolder(), 'postern-example');
	const path = join(folder, name);

	const read = async () => {
		let file;
		try {
			file = await open(path, 'r');
		} catch (error) {
			if (error.code === 'ENOENT') return null;
			throw new Problem(`${path} cannot be read: ${error.message}`);
		}
		try {
			// Checks the open file, so that no one can replace it between the check and the read.
			const { mode, uid } = await file.stat();
			if (!windows && (uid !== process.getuid() || (mode & 0o077) !== 0)) {
				throw new Problem(
					`Others can read ${path}, so it is not used. Remove it, sign in again, ` +
						'and end the session it was for in the settings of the site.'
				);
			}
			return (await file.readFile('utf8')).trim();
		} finally {
			await file.close();
		}
	};

	/** Writes a temporary file and renames it, so that the file is never incomplete. */
	const write = async (secret) => {
		const staging = `${path}.${randomUUID()}`;
		try {
			await mkdir(folder, { recursive: true, mode: 0o700 });
			// `mkdir` does not change the mode of an existing folder.
			await chmod(folder, 0o700);
			await writeFile(staging, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
			await rename(staging, path);
		} catch (error) {
			await rm(staging, { force: true });
			throw new Problem(`${path} could not be stored: ${error.message}`);
		}
	};

	return { path, read, write, remove: () => rm(path, { force: true }) };
};
