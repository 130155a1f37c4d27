import type { RequestMailTexts } from './request-mail-texts.js';

export const fr: RequestMailTexts = {
  subject: ({ firmName, customerName }) =>
    `${firmName} demande votre signature pour ${customerName}`,
  greeting: (contactName) => `Bonjour ${contactName},`,
  ask: ({ firmName, customerName, enterpriseNumber }, mandates) =>
    `${firmName}, votre bureau comptable, vous demande de signer ${
      mandates === 1 ? 'un mandat' : `${mandates} mandats`
    } pour ${customerName} (numéro d’entreprise ${enterpriseNumber}).`,
  accountsHeading: 'Extraits de compte',
  accountsPurpose: (accounts) =>
    `La banque transmet à votre bureau comptable, sous forme numérique (fichiers CODA), les extraits de ${
      accounts === 1 ? 'ce compte' : 'ces comptes'
    }. Vous ne devez plus les envoyer vous-même. Personne ne peut effectuer de paiement sur cette base.`,
  consent: (days) => `consentement à renouveler tous les ${days} jours`,
  payrollHeading: 'Salaires',
  payrollPurpose: (providers) =>
    `${
      providers === 1 ? 'Ce secrétariat social transmet' : 'Ces secrétariats sociaux transmettent'
    } à votre bureau comptable, sous forme numérique (fichiers CODB), les écritures comptables des salaires. Vous ne devez plus les envoyer vous-même.`,
  sign: 'Lire et signer',
  orOpen: 'Le bouton ne fonctionne pas ? Ouvrez cette adresse dans votre navigateur :',
  deadline: (date) => `Merci de répondre avant le ${date} : le lien expire ce jour-là.`,
  personal: 'Ce lien vous est personnel, ne le transférez pas. Vous pourrez aussi refuser.',
  unexpected: (firmName) =>
    `Vous n’attendiez pas ce message ? Adressez-vous à ${firmName}, ou ignorez-le : sans votre signature, il ne se passe rien.`,
};
