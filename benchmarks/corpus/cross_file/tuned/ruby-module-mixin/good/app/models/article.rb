class Article < ApplicationRecord
  extend Searchable
end
