exports.profileOf = (about) => about.slice(0, 500);
