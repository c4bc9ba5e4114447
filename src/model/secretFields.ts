export { hasSecrets, isSecretField, mask, maskSecrets } from '../common/secretFields';
