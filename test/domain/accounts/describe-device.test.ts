/** Tests the texts for devices, for the headers that real browsers send. */
import { describeDevice } from '../../../src/domain/accounts/describe-device';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME = 'Chrome/143.0.0.0';
const IOS = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['Firefox on Linux', '(X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Chrome on Windows', `(Windows NT 10.0; Win64; x64) ${WEBKIT} ${CHROME} Safari/537.36`],
  ['Chrome on Linux', `(X11; Linux x86_64) ${WEBKIT} Headless${CHROME} Safari/537.36`],
  ['Edge on Windows', `(Windows NT 10.0) ${WEBKIT} ${CHROME} Safari/537.36 Edg/143.0.0.0`],
  ['Opera on macOS', `(Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} ${CHROME} Safari/1 OPR/1.0`],
  ['Chrome on ChromeOS', `(X11; CrOS x86_64 14541.0.0) ${WEBKIT} ${CHROME} Safari/537.36`],
  ['Samsung Internet on Android', `(Linux; Android 10; K) ${WEBKIT} SamsungBrowser/29.0 ${CHROME}`],
  ['Safari on macOS', `(Macintosh; Intel Mac OS X 10_15_7) ${IOS} Version/18.5 Safari/605.1.15`],
  ['Safari on iPhone', `(iPhone; CPU iPhone OS 18_5 like Mac OS X) ${IOS} Version/18.5 Safari/1`],
  ['Chrome on iPad', `(iPad; CPU OS 18_5 like Mac OS X) ${IOS} CriOS/143.0 Mobile/1 Safari/1`],
  ['Unknown browser on Windows', '(Windows NT 10.0) Something/1.0'],
])('the browser and the system of a session are recognised: %s', (device, userAgent) => {
  expect(describeDevice(`Mozilla/5.0 ${userAgent}`)).toBe(device);
});

test.each([
  ['curl', 'curl/8.14.1'],
  ['Unknown device', 'node'],
  ['Unknown device', ''],
])('a client that is not a browser is shown as %s', (device, userAgent) => {
  expect(describeDevice(userAgent)).toBe(device);
});
