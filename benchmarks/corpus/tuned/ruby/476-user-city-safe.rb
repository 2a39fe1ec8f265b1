class CityReport
  def initialize(users)
    @users = users
  end

  def city_of(email)
    user = @users.find { |u| u.email == email }
    user&.address&.city
  end
end
