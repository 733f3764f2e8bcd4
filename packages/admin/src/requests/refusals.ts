/** Why a sign-in with an identity provider is refused, and what administrators or operators can do. */
export const signInRefusals = {
  'refusal.no_provider':
    'The organization has no identity provider. Run `portal organizations set-oidc`.',
  'refusal.unknown_flow':
    'The sign-in was already finished or began in another browser, or the identity provider was changed meanwhile. Sign in again.',
  'refusal.expired_flow': 'The sign-in took longer than ten minutes. Sign in again.',
  'refusal.denied':
    'The provider refused the sign-in. Assign the person to the application there, or give the consent that the provider asks for.',
  'refusal.protocol':
    'The answer of the provider is not valid. Compare issuer, client id, client secret and redirect URI with the registration at the provider, and the clocks of both.',
  'refusal.provider_failed':
    'The provider did not answer as expected. Check that it works and that the portal can reach it. For invalid_client, renew the client secret at the provider, set PORTAL_OIDC_SECRET_… and restart the portal.',
  'refusal.other_userinfo':
    'The userinfo endpoint of the provider answered for another person. Correct its configuration.',
  'refusal.two_emails':
    'The ID token and the userinfo endpoint of the provider have different e-mails. Correct the claim `email` at the provider.',
  'refusal.no_email':
    'The provider sent no e-mail. Give the person an e-mail at the provider, and configure it to send the claim `email`.',
  'refusal.unverified_email':
    'The provider did not say that the e-mail is verified, or said that it is not. Configure it to send `email_verified: true`. Entra ID: add the optional claim `xms_edov`, or, for a single tenant, run `portal organizations set-oidc` with --trust-emails.',
  'refusal.invalid_email': 'The e-mail at the provider is not valid. Correct it there.',
  'refusal.unknown_user':
    'No user has the e-mail of the provider. Create a user with this e-mail and the role administrator, contributor or workspace contributor.',
  'refusal.not_allowed':
    'The user is a viewer, or their access has expired. Change their role, or extend their access.',
  'refusal.other_email':
    'This person has signed in before as the user of this entry, but their e-mail at the provider has changed. Correct the e-mail there, or delete the user.',
  'refusal.other_subject':
    'Another person of the provider has signed in with this e-mail before. If the e-mail now belongs to this person, delete the user and create a new one.',
  'refusal.not_authenticated_again':
    'The provider did not prove that the person has just authenticated. Sign in again there. Entra ID: add the optional claim `auth_time`.',
  'refusal.other_person':
    'Another person confirmed the sign-in. Confirm it as the person who is signed in.',
} as const;

/** Key of a reason among the texts of the pages. */
export const refusalKey = <Reason extends string>(reason: Reason) => `refusal.${reason}` as const;

export type RefusalReason = keyof typeof signInRefusals extends `refusal.${infer Reason}`
  ? Reason
  : never;
