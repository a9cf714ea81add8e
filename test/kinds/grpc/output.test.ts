/** Tests gRPC messages: what is sent, and how any received bytes are parsed. */
import fc from 'fast-check';
import {
  describeGrpcStatus,
  frameRequest,
  readGrpcMessage,
  readServingStatus,
} from '../../../src/kinds/grpc/output';
import { propertyOptions } from '../../support/property-runs';

const framed = (hex: string): Buffer => {
  const message = Buffer.from(hex, 'hex');
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};

test('a gRPC request names its service, or no service for the whole server', () => {
  expect(frameRequest('').toString('hex')).toBe('0000000000');
  expect(frameRequest('ab').toString('hex')).toBe('00000000040a026162');
  expect(frameRequest('x'.repeat(200)).subarray(0, 8).toString('hex')).toBe('00000000cb0ac801');
});

test.each([
  ['', 'UNKNOWN'],
  ['0800', 'UNKNOWN'],
  ['0801', 'SERVING'],
  ['0802', 'NOT_SERVING'],
  ['0803', 'SERVICE_UNKNOWN'],
  ['0809', '9'],
  ['08020801', 'SERVING'],
  // These messages contain unknown fields of later versions, which are skipped.
  ['10ac02080112026869', 'SERVING'],
  ['1900000000000000000801', 'SERVING'],
  ['1d000000000801', 'SERVING'],
])('the gRPC message %s has the status %s', (hex, status) => {
  expect(readServingStatus(framed(hex))).toBe(status);
});

test.each([
  ['08', 'a missing number'],
  ['08ffffffffffffffffffffff', 'an endless number'],
  ['12ff', 'a missing text'],
  ['120a61', 'a truncated text'],
  ['19000000', 'truncated eight bytes'],
  ['0b', 'a group'],
  ['00', 'a field without a number'],
])('the gRPC message %s, with %s, is invalid', (hex) => {
  expect(readServingStatus(framed(hex))).toBeNull();
});

test('a gRPC message that is compressed, truncated or of another length is invalid', () => {
  const compressed = framed('0801');
  compressed[0] = 1;
  const whole = framed('0801');
  const others = [compressed, whole.subarray(0, 6), Buffer.concat([whole, whole]), Buffer.alloc(0)];
  expect(others.map(readServingStatus)).toEqual([null, null, null, null]);
});

test('any bytes of a gRPC server are either parsed or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const status = readServingStatus(framed(Buffer.from(bytes).toString('hex')));
      expect(status === null || /^[A-Z_0-9]+$/.test(status)).toBe(true);
    }),
    propertyOptions(500),
  );
});

test('statuses and messages of gRPC are shown as text', () => {
  expect([14, 99].map(describeGrpcStatus)).toEqual(['UNAVAILABLE (14)', '99']);
  expect(['not%20now', '100%'].map(readGrpcMessage)).toEqual(['not now', '100%']);
});
