/** The host of a service that is known by it. */
export const namedHost = 'api.securityscorecard.io';

/** A self-signed certificate for that host, which only the VS Code of the tests trusts. */
export const namedCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOH8wkGeB2MeR00ze
RHh8oGh16xsu9u4RUuXI7dyLgiChRANCAASTlJTQu2blC3FUgHNv8yzJjXWGakh+
6oZ1pa7FRIpOf4wtOkGAITxGiUAMXWccHIZ3WKytpKNvLvEkTR2izivh
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBwTCCAWigAwIBAgIULV37jqGpuu7ayfErB0PBdrzhKZUwCgYIKoZIzj0EAwIw
IzEhMB8GA1UEAwwYYXBpLnNlY3VyaXR5c2NvcmVjYXJkLmlvMCAXDTI2MTEyNzE3
NTE1MFoYDzIxMjYxMTAzMTc1MTUwWjAjMSEwHwYDVQQDDBhhcGkuc2VjdXJpdHlz
Y29yZWNhcmQuaW8wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASTlJTQu2blC3FU
gHNv8yzJjXWGakh+6oZ1pa7FRIpOf4wtOkGAITxGiUAMXWccHIZ3WKytpKNvLvEk
TR2izivho3gwdjAdBgNVHQ4EFgQUvG2aAwv+HFx3/6uN6ahv/nAoFPUwHwYDVR0j
BBgwFoAUvG2aAwv+HFx3/6uN6ahv/nAoFPUwDwYDVR0TAQH/BAUwAwEB/zAjBgNV
HREEHDAaghhhcGkuc2VjdXJpdHlzY29yZWNhcmQuaW8wCgYIKoZIzj0EAwIDRwAw
RAIgZh3XLjd4wiGWeTuJD6X0V0KUv1qiijgGvrLDpt4yghcCIFaFqLnlK0juMtdG
3Uw8Mp+HBwaXQQhtxEDWdixQfH25
-----END CERTIFICATE-----`,
};
