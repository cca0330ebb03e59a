/** For a browser. A test runs it. */
export const browserKey = `export const clientKey = () => {
	const kept = localStorage.getItem('postern-client');
	if (kept !== null) return kept;
	const bytes = crypto.getRandomValues(new Uint8Array(32));
	const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
	localStorage.setItem('postern-client', made);
	return made;
};
`;

export const expoKey = `import * as Crypto from 'expo-crypto';
import * as SecureStore from 'expo-secure-store';

export const clientKey = async () => {
	const kept = await SecureStore.getItemAsync('postern-client');
	if (kept !== null) return kept;
	const bytes = await Crypto.getRandomBytesAsync(32);
	const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
	await SecureStore.setItemAsync('postern-client', made);
	return made;
};
`;

/** `storage` is that of the app, whichever plugin it uses. */
export const capacitorKey = `export const clientKey = async () => {
	const kept = await storage.get('postern-client');
	if (kept) return kept;
	const bytes = crypto.getRandomValues(new Uint8Array(32));
	const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
	await storage.set('postern-client', made);
	return made;
};
`;

export const swiftKey = (origin: string): string => `import Foundation
import Security

struct KeychainError: Error { let status: OSStatus }

func clientKey() throws -> String {
    let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword,
        kSecAttrService: "postern",
        kSecAttrAccount: "client"
    ]
    var found: CFTypeRef?
    let search = item.merging([kSecReturnData: true]) { $1 }
    let status = SecItemCopyMatching(search as CFDictionary, &found)
    if status == errSecSuccess, let kept = found as? Data {
        return String(decoding: kept, as: UTF8.self)
    }
    guard status == errSecItemNotFound else { throw KeychainError(status: status) }

    var bytes = [UInt8](repeating: 0, count: 32)
    let drawn = SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes)
    guard drawn == errSecSuccess else { throw KeychainError(status: drawn) }
    let made = bytes.map { String(format: "%02x", $0) }.joined()
    let added = SecItemAdd(item.merging([
        kSecValueData: Data(made.utf8),
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    ]) { $1 } as CFDictionary, nil)
    guard added == errSecSuccess else { throw KeychainError(status: added) }
    return made
}

var request = URLRequest(url: URL(string: "${origin}/api/auth/sign-in/email-otp")!)
request.setValue(try clientKey(), forHTTPHeaderField: "X-Postern-Client")
`;

/**
 * The Keystore makes a secret and never shows it, so the key is computed from it and stored nowhere.
 */
export const kotlinKey = (
	origin: string
): string => `import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyProperties
import java.net.URL
import java.security.KeyStore
import javax.crypto.KeyGenerator
import javax.crypto.Mac

private const val NAME = "postern-client"

fun clientKey(): String {
    val store = KeyStore.getInstance("AndroidKeyStore").apply { load(null) }
    val secret = store.getKey(NAME, null) ?: makeSecret()
    val mac = Mac.getInstance("HmacSHA256").apply { init(secret) }
    return mac.doFinal(NAME.toByteArray()).joinToString("") { "%02x".format(it) }
}

private fun makeSecret() =
    KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_HMAC_SHA256, "AndroidKeyStore").run {
        init(KeyGenParameterSpec.Builder(NAME, KeyProperties.PURPOSE_SIGN).build())
        generateKey()
    }

val connection = URL("${origin}/api/auth/sign-in/email-otp").openConnection()
connection.setRequestProperty("X-Postern-Client", clientKey())
`;

export const flutterKey = (origin: string): string => `import 'dart:math';
import 'package:flutter_secure_storage/flutter_secure_storage.dart';
import 'package:http/http.dart' as http;

const storage = FlutterSecureStorage();

Future<String> clientKey() async {
  final kept = await storage.read(key: 'postern-client');
  if (kept != null) return kept;
  final random = Random.secure();
  final made = List.generate(
    32,
    (_) => random.nextInt(256).toRadixString(16).padLeft(2, '0'),
  ).join();
  await storage.write(key: 'postern-client', value: made);
  return made;
}

Future<http.Response> signIn(String body) async => http.post(
  Uri.parse('${origin}/api/auth/sign-in/email-otp'),
  headers: {
    'Content-Type': 'application/json',
    'X-Postern-Client': await clientKey(),
  },
  body: body,
);
`;
