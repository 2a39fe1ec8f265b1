class Download
  def initialize(name)
    @name = name
  end

  def content
    File.read("/srv/downloads/#{@name}")
  end
end
