const { portalEmbed } = require('@portal-embed/express');

module.exports = portalEmbed;
