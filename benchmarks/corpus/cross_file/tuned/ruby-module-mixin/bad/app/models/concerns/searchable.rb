module Searchable
  def matching(text)
    where("title LIKE '%#{text}%'")
  end
end
